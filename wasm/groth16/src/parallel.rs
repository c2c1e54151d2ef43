//! Divides work between the threads of this machine. WebAssembly has one thread.

use alloc::vec::Vec;

/// Runs `first` once and `job` for each of `0..jobs`, and returns all results in order. `scratch`
/// makes the values that a thread keeps from job to job.
#[cfg(target_arch = "wasm32")]
pub fn share<Q, S, T>(
    _threads: impl Fn() -> usize,
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
///
/// `threads` returns how many threads may work now, including this thread. `threads` is called again after each job. If
/// other proofs have begun, helpers stop; if other proofs have ended, new helpers start.
#[cfg(not(target_arch = "wasm32"))]
pub fn share<Q, S, T: Send>(
    threads: impl Fn() -> usize + Sync,
    first: impl FnOnce() -> Q,
    jobs: usize,
    scratch: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize) -> T + Sync,
) -> (Q, Vec<T>) {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    let next = AtomicUsize::new(0);
    let helpers = AtomicUsize::new(0);
    let take = |kept: &mut S| {
        let index = next.fetch_add(1, Relaxed);
        (index < jobs).then(|| (index, job(kept, index)))
    };
    let help = || {
        let mut kept = scratch();
        let mut done = Vec::new();
        while helpers.load(Relaxed) < threads() {
            let Some(one) = take(&mut kept) else { break };
            done.push(one);
        }
        helpers.fetch_sub(1, Relaxed);
        done
    };
    std::thread::scope(|scope| {
        let mut others = Vec::new();
        let mut call_helpers = || {
            while helpers.load(Relaxed) + 1 < threads() && next.load(Relaxed) < jobs {
                helpers.fetch_add(1, Relaxed);
                others.push(scope.spawn(help));
            }
        };
        call_helpers();
        let result = first();
        let mut kept = scratch();
        let mut done = Vec::new();
        while let Some(one) = take(&mut kept) {
            done.push(one);
            call_helpers();
        }
        // A job that panicked ends the process, because without that job there is no proof.
        done.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
        done.sort_unstable_by_key(|(index, _)| *index);
        (result, done.into_iter().map(|(_, value)| value).collect())
    })
}
