package io.holdfast.collections;

import com.google.common.collect.testing.AbstractTester;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/// The tests of a suite, which let go of their maps when they have run: a suite keeps its thousands
/// of tests, and each map has its stripes or tables.
final class ForgettingSuite {
  /// @param step of the tests of a class, every so many-th one
  static Test of(Test test, int step) {
    if (!(test instanceof TestSuite suite)) {
      return test;
    }
    TestSuite copy =
        new TestSuite(suite.getName()) {
          @Override
          public void runTest(Test each, TestResult result) {
            super.runTest(each, result);
            if (each instanceof TestCase) {
              forget(each);
            }
          }
        };
    for (int i = 0; i < suite.testCount(); i += suite.testAt(i) instanceof TestCase ? step : 1) {
      copy.addTest(of(suite.testAt(i), step));
    }
    return copy;
  }

  private static void forget(Test test) {
    try {
      for (Class<?> type = test.getClass(); type != AbstractTester.class; ) {
        for (Field field : type.getDeclaredFields()) {
          int modifiers = field.getModifiers();
          if (!Modifier.isStatic(modifiers)
              && !Modifier.isFinal(modifiers)
              && !field.getType().isPrimitive()) {
            field.setAccessible(true);
            field.set(test, null);
          }
        }
        type = type.getSuperclass();
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private ForgettingSuite() {}
}
