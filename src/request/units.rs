//! Times and sizes as users write them.

use std::time::Duration;

const LONGEST: u64 = 365 * 24 * 3600;
const SMALLEST: u64 = 16 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seconds(pub Duration);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes(pub u64);

/// A number and the unit after it.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

impl std::str::FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seconds, String> {
        let wrong = || "wanted a time such as 20s, 5m, 1h or 900".to_string();
        let (number, unit) = split(text);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let millis = match unit {
            "ms" => Some(number),
            "" | "s" => number.checked_mul(1000),
            "m" | "min" => number.checked_mul(60_000),
            "h" => number.checked_mul(3_600_000),
            _ => return Err(wrong()),
        };
        match millis {
            Some(ms) if ms > 0 && ms <= LONGEST * 1000 => Ok(Seconds(Duration::from_millis(ms))),
            _ => Err("wanted more than nothing and at most a year".into()),
        }
    }
}

impl std::str::FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let wrong = || "wanted a size with a unit, such as 512m or 15g".to_string();
        let (number, unit) = split(text);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let shift = match unit.to_ascii_lowercase().as_str() {
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => return Err(wrong()),
        };
        match number.checked_mul(1 << shift) {
            Some(bytes) if bytes >= SMALLEST => Ok(Bytes(bytes)),
            Some(_) => Err("wanted at least 16m: the program itself needs that".into()),
            None => Err("this is more memory than there can be".into()),
        }
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} s", self.0.as_secs_f64())
    }
}

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
        match UNITS.iter().find(|(shift, _)| self.0 >> shift > 0 && self.0 % (1 << shift) == 0) {
            Some((shift, unit)) => write!(f, "{} {unit}", self.0 >> shift),
            None => write!(f, "{} B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let ms = |text: &str| text.parse::<Seconds>().map(|s| s.0.as_millis());
        assert_eq!(ms("20s"), Ok(20_000));
        assert_eq!(ms("900"), Ok(900_000));
        assert_eq!(ms("5m"), Ok(300_000));
        assert_eq!(ms("250ms"), Ok(250));
        for wrong in ["", "s", "-1", "0", "1.5s", "20 s", "99999999999999999999", "400000000h"] {
            assert!(ms(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Seconds(Duration::from_millis(1500)).to_string(), "1.5 s");
    }

    #[test]
    fn sizes() {
        let bytes = |text: &str| text.parse::<Bytes>().map(|b| b.0);
        assert_eq!(bytes("512m"), Ok(512 << 20));
        assert_eq!(bytes("15G"), Ok(15 << 30));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        for wrong in ["", "512", "1m", "x", "-1g", "99999999t", "1p"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Bytes(15 << 30).to_string(), "15 GiB");
        assert_eq!(Bytes(1536 << 20).to_string(), "1536 MiB");
    }
}
