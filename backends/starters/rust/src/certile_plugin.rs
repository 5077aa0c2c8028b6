//! `certile_plugin.h` in Rust: the same structures, field by field, and the numbers that this crate uses.
use std::os::raw::{c_char, c_void};

pub const ABI_MAJOR: u32 = 1;
pub const ABI_MINOR: u32 = 0;

pub const OK: i32 = 0;
pub const REJECTED: i32 = 1;
pub const UNSUPPORTED: i32 = 2;
pub const FAILED: i32 = 4;

pub const ONNX_TILE_13: u32 = 4;

pub const BOOLEAN: u32 = 1;
pub const I8: u32 = 3;
pub const I64: u32 = 6;
pub const U8: u32 = 12;
pub const F64: u32 = 19;
pub const C64: u32 = 25;
pub const STRING: u32 = 27;

#[repr(C)]
pub struct Tensor {
    pub struct_size: u32,
    pub element_type: u32,
    pub element_bits: u32,
    pub rank: i32,
    pub shape: *const i64,
    pub data: *mut c_void,
    pub byte_size: u64,
    pub alignment: u64,
}

#[repr(C)]
pub struct Call {
    pub struct_size: u32,
    pub op: u32,
    pub data: *const Tensor,
    pub repeats: *const Tensor,
    pub axis: *const Tensor,
}

#[repr(C)]
pub struct Text {
    pub struct_size: u32,
    pub capacity: u32,
    pub utf8: *mut c_char,
}

pub type Infer =
    unsafe extern "C" fn(*mut c_void, *const Call, *mut i64, i32, *mut i32, *mut Text) -> i32;
pub type Run = unsafe extern "C" fn(*mut c_void, *const Call, *mut Tensor, *mut Text) -> i32;

#[repr(C)]
pub struct Plugin {
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub name: *const c_char,
    pub version: *const c_char,
    pub operators: *const c_char,
    pub types: *const c_char,
    pub repeats_types: *const c_char,
    pub max_rank: i64,
    pub max_elements: i64,
    pub max_bytes: i64,
    pub this: *mut c_void,
    pub infer: Option<Infer>,
    pub run: Option<Run>,
    pub destroy: Option<unsafe extern "C" fn(*mut c_void)>,
}
