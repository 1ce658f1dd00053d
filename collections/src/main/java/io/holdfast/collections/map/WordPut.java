package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.Section;

/// Stores an entry of a map of words: its key, its value, and what was there before. A thread uses
/// one of them for all, so that no object is made for a word.
///
/// Confined to a thread.
public final class WordPut implements Stripe.Action<WordPut> {
  long key, value;
  long hash;

  /// Whose lock the thread takes for it; `null` before and after.
  Stripe stripe;

  private boolean wasThere;
  private long before;

  /// Whether the key had a value.
  public boolean wasThere() {
    return wasThere;
  }

  /// The value before, if there was one.
  public long before() {
    return before;
  }

  Encoded encodedBefore() {
    return wasThere ? Encoded.of(before) : null;
  }

  void isNew() {
    wasThere = false;
  }

  void replaces(long word) {
    wasThere = true;
    before = word;
  }

  void replaces(Encoded word) {
    if (word == null) {
      isNew();
    } else {
      replaces(word.word());
    }
  }

  @Override
  public WordPut run(Section section) {
    stripe.put(section, this);
    return this;
  }
}
