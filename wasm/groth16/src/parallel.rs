//! Divides work between the threads of this machine. WebAssembly has one thread.

use alloc::vec::Vec;

/// Runs `first` once and `job` for each of `0..jobs`, and returns all results in order. `scratch`
/// makes the values that a thread keeps from job to job.
#[cfg(target_arch = "wasm32")]
pub fn share<Q, S, T>(
    _threads: usize,
    first: impl FnOnce() -> Q,
    jobs: usize,
    scratch: impl Fn() -> S,
    job: impl Fn(&mut S, usize) -> T,
) -> (Q, Vec<T>) {
    let mut kept = scratch();
    (first(), (0..jobs).map(|index| job(&mut kept, index)).collect())
}

/// Runs `first` once and `job` for each of `0..jobs`, and returns all results in order. `scratch` makes the values
/// that a thread keeps from job to job. The thread that runs `first` takes its share of the jobs afterwards.
#[cfg(not(target_arch = "wasm32"))]
pub fn share<Q, S, T: Send>(
    threads: usize,
    first: impl FnOnce() -> Q,
    jobs: usize,
    scratch: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize) -> T + Sync,
) -> (Q, Vec<T>) {
    use core::sync::atomic::{AtomicUsize, Ordering};

    let next = AtomicUsize::new(0);
    let work = || {
        let mut kept = scratch();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= jobs {
                return done;
            }
            done.push((index, job(&mut kept, index)));
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let result = first();
        let mut done = work();
        // A job that panicked ends the process, because there is no proof without it.
        done.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
        done.sort_unstable_by_key(|(index, _)| *index);
        (result, done.into_iter().map(|(_, value)| value).collect())
    })
}
