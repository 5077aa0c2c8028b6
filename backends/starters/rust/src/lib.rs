//! The table that certile calls: the claim, the rules and the refusals of onnx-tile-13, around the kernel in `kernel.rs`.
mod certile_plugin;
pub mod kernel;

use certile_plugin as abi;
use std::any::Any;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::slice;

const MOST_AXES: usize = 64;

/// Why a call has no output.
enum Refusal {
    Rejected(&'static str),    // the operator refuses the call
    Unsupported(&'static str), // the call is beyond the claim
}
use Refusal::{Rejected, Unsupported};

/// Returns a slice of C's memory; C has no pointer to nothing.
unsafe fn from_c<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        slice::from_raw_parts(first, count)
    }
}

unsafe fn shape_of(tensor: &abi::Tensor) -> &[i64] {
    from_c(tensor.shape, tensor.rank as usize)
}

/// Returns true if the operator lists the type.
fn is_listed(element_type: u32) -> bool {
    matches!(element_type, abi::BOOLEAN | abi::I8..=abi::I64 | abi::U8..=abi::F64 | abi::C64..=abi::STRING)
}

/// Returns the repeats and the output's shape.
unsafe fn understood(call: &abi::Call) -> Result<(&[i64], Vec<i64>), Refusal> {
    let (data, repeats) = (&*call.data, &*call.repeats);
    if call.op != abi::ONNX_TILE_13 {
        return Err(Unsupported("only onnx-tile-13 is implemented"));
    }
    if !is_listed(data.element_type) {
        return Err(Rejected("the operator does not list this type"));
    }
    if repeats.element_type != abi::I64 || shape_of(repeats) != [i64::from(data.rank)] {
        return Err(Rejected(
            "repeats must be a vector of i64, one for each axis",
        ));
    }
    let counts = from_c(repeats.data as *const i64, data.rank as usize);
    let mut shape = Vec::new();
    for (size, &count) in shape_of(data).iter().zip(counts) {
        if count < 0 {
            return Err(Rejected("a repeat is negative"));
        }
        shape.push(
            size.checked_mul(count)
                .ok_or(Rejected("a dimension is too large"))?,
        );
    }
    if !shape.contains(&0)
        && shape
            .iter()
            .try_fold(1i64, |product, &size| product.checked_mul(size))
            .is_none()
    {
        return Err(Rejected("there are too many elements"));
    }
    if shape.len() > MOST_AXES {
        return Err(Unsupported("too many axes"));
    }
    Ok((counts, shape))
}

/// Writes the sentence to certile's buffer, as much of it as there is room for.
unsafe fn say(why: &mut abi::Text, sentence: &str) {
    let size = sentence.len().min(why.capacity as usize - 1);
    sentence
        .as_ptr()
        .copy_to_nonoverlapping(why.utf8 as *mut u8, size);
    *why.utf8.add(size) = 0;
}

/// Returns the message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().map(|text| text.to_string());
    message
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// Calls `work` and returns its status. A panic ends here, because it may not leave a function of the table.
unsafe fn guarded(why: *mut abi::Text, work: impl FnOnce() -> Result<(), Refusal>) -> i32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => abi::OK,
        Ok(Err(Rejected(sentence))) => {
            say(&mut *why, sentence);
            abi::REJECTED
        }
        Ok(Err(Unsupported(sentence))) => {
            say(&mut *why, sentence);
            abi::UNSUPPORTED
        }
        Err(panic) => {
            say(&mut *why, &message_of(&*panic));
            abi::FAILED
        }
    }
}

unsafe extern "C" fn infer(
    _this: *mut c_void,
    call: *const abi::Call,
    shape: *mut i64,
    _capacity: i32,
    rank: *mut i32,
    why: *mut abi::Text,
) -> i32 {
    guarded(why, || {
        let (_, found) = understood(&*call)?;
        found.as_ptr().copy_to_nonoverlapping(shape, found.len());
        *rank = found.len() as i32;
        Ok(())
    })
}

unsafe extern "C" fn run(
    _this: *mut c_void,
    call: *const abi::Call,
    out: *mut abi::Tensor,
    why: *mut abi::Text,
) -> i32 {
    guarded(why, || {
        let (call, out) = (&*call, &*out);
        let (repeats, _) = understood(call)?;
        if out.byte_size == 0 {
            return Ok(());
        }
        let data = &*call.data;
        let from = from_c(data.data as *const u8, data.byte_size as usize);
        let to = slice::from_raw_parts_mut(out.data as *mut u8, out.byte_size as usize);
        let width = data.element_bits as usize / 8; // a string is moved as its 16-byte view
        kernel::tile(shape_of(data), repeats, width, from, to);
        Ok(())
    })
}

unsafe extern "C" fn destroy(_this: *mut c_void) {}

fn c_text(text: &'static [u8]) -> *const c_char {
    assert_eq!(text.last(), Some(&0));
    text.as_ptr() as *const c_char
}

/// Fills certile's table: the one symbol of the library.
///
/// # Safety
/// `plugin` is a table of certile's.
#[no_mangle]
pub unsafe extern "C" fn certile_plugin_open(
    host_major: u32,
    _host_minor: u32,
    plugin: *mut abi::Plugin,
) -> i32 {
    if host_major != abi::ABI_MAJOR {
        return abi::UNSUPPORTED;
    }
    *plugin = abi::Plugin {
        struct_size: std::mem::size_of::<abi::Plugin>() as u32,
        abi_major: abi::ABI_MAJOR,
        abi_minor: abi::ABI_MINOR,
        name: c_text(b"mine\0"),
        version: c_text(b"1\0"),
        operators: c_text(b"onnx-tile-13\0"),
        types: c_text(b"boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 string\0"),
        repeats_types: c_text(b"i64\0"),
        max_rank: MOST_AXES as i64,
        max_elements: 0,
        max_bytes: 0,
        this: std::ptr::null_mut(),
        infer: Some(infer),
        run: Some(run),
        destroy: Some(destroy),
    };
    abi::OK
}
