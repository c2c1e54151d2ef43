//! Memory that is wiped before it is freed.

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;

/// An allocator that fills memory with zeros before another allocator frees it. Inputs, witnesses
/// and all numbers that are computed from them are secret.
pub struct Wiping<A>(pub A);

// SAFETY: all memory comes from the inner allocator. Memory that must move is allocated, copied and freed by the
// trait's own `realloc`, so the old memory is wiped too.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Wiping<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.0.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        start.write_bytes(0, layout.size());
        // Without `black_box`, the compiler may leave out writes to memory that is freed next.
        self.0.dealloc(black_box(start), layout);
    }
}
