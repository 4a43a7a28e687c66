//! Families of guarded-command programs that grow: the ticket protocol and the elevator, for measurements.

use std::fmt::Write;

/// The ticket protocol for so many processes: mutual exclusion, safe.
pub fn ticket(processes: usize) -> String {
    let each = |name: &str, separator: &str| -> String {
        (1..=processes).map(|i| name.replace('#', &i.to_string())).collect::<Vec<_>>().join(separator)
    };
    let mut text = format!(
        "# Ticket mutual exclusion, {processes} processes. t = next ticket to hand out, s = ticket being served.\n\
         # single initial state\nprogram ticket{processes}\ncontrol {}\nvar {}, s, t\ninit {} && {} && s = 0 && t = 0\n\n",
        each("pc#", ", "),
        each("a#", ", "),
        each("pc# = 1", " && "),
        each("a# = 0", " && "),
    );
    text.push_str(&each(
        "take#:  pc# = 1 -> a# := t, t := t + 1, pc# := 2\nenter#: pc# = 2 && a# <= s -> pc# := 3\n\
         leave#: pc# = 3 -> s := s + 1, pc# := 1\n",
        "",
    ));
    text.push('\n');
    for first in 1..=processes {
        for second in first + 1..=processes {
            let _ = writeln!(text, "safe !(pc{first} = 3 && pc{second} = 3)");
        }
    }
    text.push_str("expect safe\n");
    text
}

/// The elevator for so many floors: the cabin is never at two floors at once, safe.
pub fn elevator(floors: usize) -> String {
    let each = |name: &str, from: usize, separator: &str| -> String {
        (from..floors).map(|i| name.replace('#', &i.to_string())).collect::<Vec<_>>().join(separator)
    };
    let mut text = format!(
        "# Elevator, {floors} floors, after BEEM elevator2 (naive controller): cabin, controller, environment.\n\
         # r_i = request, at_i = floor sensor, t = target, p = position, v = cabin busy.\n\
         # Property: the cabin is never at two floors at once.\n\
         program elev{floors}\ncontrol pcc, pck\nvar {}, {}, t, p, v\n\
         init pcc = 1 && pck = 1 && {} && at0 = 1 && {} && t = 0 && p = 0 && v = 0\n\n",
        each("r#", 0, ", "),
        each("at#", 0, ", "),
        each("r# = 0", 0, " && "),
        each("at# = 0", 1, " && "),
    );
    text.push_str("go:     pcc = 1 && v = 1 -> pcc := 2\n");
    let mut transition = |label: String, rest: String| {
        let _ = writeln!(text, "{label:<7} {rest}");
    };
    for i in 0..floors - 1 {
        let rest = format!("pcc = 2 && t > p && at{i} = 1 -> at{i} := 0, at{} := 1, p := p + 1", i + 1);
        transition(format!("up{i}:"), rest);
    }
    for i in 1..floors {
        let rest = format!("pcc = 2 && t < p && at{i} = 1 -> at{i} := 0, at{} := 1, p := p - 1", i - 1);
        transition(format!("down{i}:"), rest);
    }
    transition("arrive:".to_owned(), "pcc = 2 && t = p -> pcc := 3".to_owned());
    for i in 0..floors {
        transition(format!("open{i}:"), format!("pcc = 3 && at{i} = 1 -> r{i} := 0, v := 0, pcc := 1"));
    }
    for i in 0..floors {
        transition(format!("call{i}:"), format!("r{i} != 1 -> r{i} := 1"));
    }
    for i in 0..floors {
        transition(format!("pick{i}:"), format!("pck = 1 && v != 1 && r{i} = 1 -> t := {i}, pck := 2"));
    }
    transition("start:".to_owned(), "pck = 2 -> v := 1, pck := 1".to_owned());
    text.push('\n');
    for first in 0..floors {
        for second in first + 1..floors {
            let _ = writeln!(text, "safe !(at{first} = 1 && at{second} = 1)");
        }
    }
    text.push_str("expect safe\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_are_members() {
        let model = |name: String| {
            let path = format!("{}/models/gcl/{name}.gcl", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("the model is part of the repository")
        };
        for processes in 2..=4 {
            assert_eq!(ticket(processes), model(format!("ticket{processes}")));
        }
        for floors in [4, 5, 6, 8] {
            assert_eq!(elevator(floors), model(format!("elev{floors}")));
        }
    }
}
