/// Reads the numbers of a proving key, all little-endian. Reading past the end panics, so loading fails.
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    pub fn bytes_32(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.take(32));
        bytes
    }

    pub fn u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4));
        u32::from_le_bytes(bytes)
    }

    pub fn u64(&mut self) -> u64 {
        let low = self.u32() as u64;
        low | (self.u32() as u64) << 32
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}
