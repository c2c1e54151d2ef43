// SPDX-License-Identifier: GPL-3.0-only
pragma circom 2.2.0;

// A circuit for tests of the setup: as many public inputs as the settle circuit, in as few constraints as possible.
template TenInputs(shift) {
    signal input shown[10];
    signal input hidden;
    for (var i = 0; i < 10; i++) {
        shown[i] === hidden * (hidden + i + shift);
    }
}

component main { public [shown] } = TenInputs(1);
