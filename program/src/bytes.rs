//! Reading and writing fields at explicit byte offsets. Account data has no alignment to rely on, so
//! nothing is ever cast to a struct.

/// The `N` bytes that start at `at`. Callers pass slices of checked, fixed size.
#[inline(always)]
pub fn array_at<const N: usize>(data: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&data[at..at + N]);
    out
}

/// The 32 bytes that start at `at`, as a reference.
#[inline(always)]
pub fn ref_at(data: &[u8], at: usize) -> &[u8; 32] {
    // Cannot fail: the slice has 32 bytes.
    data[at..at + 32].try_into().unwrap()
}

/// The little-endian u64 at `at`.
#[inline(always)]
pub fn u64_at(data: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(data, at))
}

/// The little-endian i64 at `at`.
#[inline(always)]
pub fn i64_at(data: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(array_at(data, at))
}

/// The little-endian u32 at `at`.
#[inline(always)]
pub fn u32_at(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(data, at))
}

/// The little-endian u16 at `at`.
#[inline(always)]
pub fn u16_at(data: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(data, at))
}

/// Writes `value`, starting at `at`.
#[inline(always)]
pub fn put(data: &mut [u8], at: usize, value: &[u8]) {
    data[at..at + value.len()].copy_from_slice(value);
}
