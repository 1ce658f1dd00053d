/// Accounts under `synchronized`: money is moved, never made or lost.
package com.example.bank;
