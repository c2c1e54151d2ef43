//! The entry point for the loader. The program allocates nothing, so it needs no heap.

use pinocchio::{no_allocator, nostd_panic_handler, program_entrypoint};

program_entrypoint!(crate::process_instruction);
no_allocator!();
nostd_panic_handler!();
