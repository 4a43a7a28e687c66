//! The JSON document is what its schema says, keeps every number, and can be replayed.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use expect_test::expect_file;
use serde_json::Value;
use std::fs;
use support::{Ran, argument, model, root, run};
use tandem::engine::EngineId;

fn schema() -> jsonschema::Validator {
    let text = fs::read_to_string(root().join("docs/result.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
fn document(ran: &Ran) -> Value {
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let problems: Vec<String> =
        schema().iter_errors(&document).map(|e| format!("{} at {}", e, e.instance_path())).collect();
    assert!(problems.is_empty(), "{problems:?}");
    document
}

#[track_caller]
fn verify(path: &str, more: &[&str]) -> Value {
    let engine: &[&str] = if more.contains(&"--engine") { &[] } else { &["--engine", "explicit"] };
    let ran = run(&[&["verify", path, "--json"], engine, more].concat());
    assert_eq!(ran.stderr, "", "{ran:?}");
    let document = document(&ran);
    let status = match document["verdict"].as_str() {
        Some("safe") => 0,
        Some("unsafe") => 1,
        _ => 2,
    };
    assert_eq!(ran.status, Some(status), "{document}");
    document
}

#[test]
fn each_verdict_has_a_document_of_the_schema() {
    let safe = verify(argument(&model("elev4")), &[]);
    assert_eq!((safe["verdict"].as_str(), safe["proof"]["size"].as_u64()), (Some("safe"), Some(480)));
    assert_eq!(safe["engine"], "explicit");
    assert_eq!(safe["property"], "assert");
    let proof =
        verify(argument(&root().join("tests/corpus/c/recursion/recursion.c")), &["--engine", "cegar"])["proof"].take();
    let summary = &proof["summaries"][0];
    assert_eq!((&summary["procedure"], &summary["place"]["line"]), (&"identity".into(), &8.into()), "{proof}");
    assert!(summary["cases"][0]["ensures"].as_str().unwrap().contains("result == old(n)"), "{proof}");
    let proof = verify(argument(&root().join("examples/c/crossing.c")), &["--engine", "cegar"])["proof"].take();
    assert!(proof["loop_invariants"][0]["invariant"].as_str().unwrap().contains("north == 0"), "{proof}");
    let unknown = verify(argument(&model("fig1_1")), &[]);
    assert_eq!(unknown["verdict"], "unknown");
    assert!(unknown["assumptions"].as_array().is_some_and(|all| !all.is_empty()), "{unknown}");
    let stopped = verify(argument(&model("ticket3")), &["--time-limit", "200ms"]);
    assert_eq!(stopped["verdict"], "unknown");
    assert!(stopped["statistics"]["states"].as_u64() > Some(0), "{stopped}");
    let unsafe_one = verify(argument(&model("ticket2_e")), &[]);
    assert_eq!(unsafe_one["verdict"], "unsafe");
    assert_eq!(unsafe_one["violation"]["kind"], "assertion");
    assert_eq!(unsafe_one["violation"]["place"]["line"], 17);
    assert_eq!(unsafe_one["initial"][0], serde_json::json!({ "variable": "pc1", "value": 1 }));
}

/// Every engine of the catalogue, and no other, has its name in the schema, and makes documents of it.
#[test]
fn every_engine_makes_documents_of_the_schema() {
    let text = fs::read_to_string(root().join("docs/result.schema.json")).unwrap();
    let (before, rest) = text.split_once("\"auto\"").unwrap();
    let (_, after) = rest.split_once("\n      ]").unwrap();
    let names: String = EngineId::names().iter().map(|name| format!(",\n        \"{name}\"")).collect();
    expect_file!["../docs/result.schema.json"].assert_eq(&format!("{before}\"auto\"{names}\n      ]{after}"));
    for id in EngineId::ALL {
        let engine = id.name();
        let document = verify(argument(&model("ticket2_e")), &["--engine", engine]);
        let verdict = if id.entry().finds_failures { "unsafe" } else { "unknown" };
        assert_eq!((&document["verdict"], &document["engine"]), (&verdict.into(), &engine.into()));
        let path = root().join("tests/corpus/c/language/noreturn.c");
        assert_eq!(verify(argument(&path), &["--engine", engine])["verdict"], "safe", "{engine}");
    }
}

#[test]
fn a_trace_has_one_entry_a_step() {
    let result = verify(argument(&model("ticket2_e")), &[]);
    let steps = result["trace"].as_array().unwrap();
    assert_eq!(steps.len(), 6);
    assert_eq!(steps[0]["step"], 1);
    assert_eq!(steps[0]["label"], "read1");
    assert_eq!(steps[0]["place"]["line"], 8);
    let first = serde_json::json!([{ "variable": "pc1", "before": 1, "after": 4 }]);
    assert_eq!(steps[0]["changes"], first);
    assert_eq!(verify(argument(&model("b_bakery2_e")), &[])["trace"].as_array().map(Vec::len), Some(25));
}

#[test]
fn inputs_are_listed_in_order_with_their_places() {
    let result = verify(argument(&model("nd_fragment")), &[]);
    let inputs = result["inputs"].as_array().unwrap();
    assert!(!inputs.is_empty(), "{result}");
    let steps: Vec<u64> = inputs.iter().map(|input| input["step"].as_u64().unwrap()).collect();
    assert!(steps.is_sorted(), "{steps:?}");
    assert!(inputs.iter().all(|input| input["place"]["line"].is_u64()), "{result}");
}

#[test]
fn numbers_beyond_the_exact_ones_are_strings() {
    let path = root().join("tests/corpus/gcl/beyond_64_bits.gcl");
    let result = verify(argument(&path), &[]);
    assert_eq!(result["verdict"], "unsafe");
    let text = result.to_string();
    assert!(text.contains("\"1180591620717411303424\""), "{text}");
    assert!(!text.contains(":1180591620717411303424"), "{text}");
    let changes = result["trace"].as_array().unwrap().iter().flat_map(|step| step["changes"].as_array().unwrap());
    let powers = changes.filter(|change| change["after"] == serde_json::json!(1u64 << 52));
    assert_eq!(powers.count(), 1, "{text}");
}

#[test]
fn a_result_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result.json");
    for name in ["ticket2_e", "b_bakery2_e", "nd_ticket2_f", "nd_fragment"] {
        let path = model(name);
        let verified = run(&["verify", argument(&path), "--json"]);
        fs::write(&result, &verified.stdout).unwrap();
        let steps = document(&verified)["trace"].as_array().unwrap().len();
        let replayed = run(&["run", argument(&path), "--replay", argument(&result)]);
        assert_eq!(replayed.status, Some(1), "{replayed:?}");
        assert!(
            replayed.stdout.contains(&format!("{steps} steps")) && replayed.stdout.contains("violated"),
            "{replayed:?}"
        );
    }
}

#[test]
fn a_result_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("result.json");
    let path = model("ticket2_e");
    let replay = |text: &str| {
        fs::write(&result, text).unwrap();
        let ran = run(&["run", argument(&path), "--replay", argument(&result)]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("result.json") && !ran.stderr.contains("panic"), "{ran:?}");
        ran.stderr
    };
    assert!(replay("{}").contains("not a result"));
    assert!(replay("not JSON").contains("not a result"));
    assert!(replay(&run(&["verify", argument(&model("elev4")), "--json"]).stdout).contains("safe"));
    replay(&run(&["verify", argument(&model("b_bakery2_e")), "--json"]).stdout);
    let own = run(&["verify", argument(&path), "--json"]).stdout;
    replay(&own.replacen("\"edge\": 1,", "\"edge\": 4000000000,", 1));
    replay(&own.replacen("\"thread\": 0", "\"thread\": 77", 1));
}
