package com.acme;

import java.util.ArrayList;

/// Classes that are serializable by what they extend.
public class Serials {
  /// Its serial version is computed of its members.
  @SuppressWarnings("serial")
  public static class Computed extends ArrayList<String> {
    public synchronized void run(Runnable body) {
      body.run();
    }
  }

  /// Says its serial version.
  public static class Given extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    public synchronized void run(Runnable body) {
      body.run();
    }
  }

  private Serials() {}
}
