/// Stock under a read-write lock: each item is in one place.
package com.example.inventory;
