// SPDX-License-Identifier: GPL-3.0-only
pragma circom 2.2.0;

// The circuit of ten-inputs.circom with another constant. The keys of both circuits have the same size.
template TenInputs(shift) {
    signal input shown[10];
    signal input hidden;
    for (var i = 0; i < 10; i++) {
        shown[i] === hidden * (hidden + i + shift);
    }
}

component main { public [shown] } = TenInputs(2);
