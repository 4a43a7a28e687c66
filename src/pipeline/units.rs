//! Durations and sizes as users write them.

use std::time::Duration;

/// `90s`, `2m`, `1h`, `500ms`, `1.5s`; a number alone is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no duration; write 90s, 2m, 1h or 500ms")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is no duration; write 90s, 2m, 1h or 500ms"))?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| format!("`{text}` is too long a duration"))
}

/// `4G`, `512M`, `64K`, in powers of 1024; a number alone is bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err(format!("`{text}` is no size; write 4G or 512M")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is no size; write 4G or 512M"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is more than any memory"))
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let cases = [("90s", 90_000), ("2m", 120_000), ("500ms", 500), ("60", 60_000), ("1.5s", 1500), ("0", 0)];
        for (text, milliseconds) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1s", "1 day", "1e5", "nan", "9999999999999999999999h", "1..2", "²"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        let cases = [("4G", 4 << 30), ("512M", 512 << 20), ("64KiB", 64 << 10), ("1GB", 1 << 30), ("77", 77)];
        for (text, bytes) in cases {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1G", "1.5G", "4X", "99999999999T", "１G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
