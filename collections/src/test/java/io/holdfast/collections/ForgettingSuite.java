package io.holdfast.collections;

import com.google.common.collect.testing.AbstractTester;
import io.holdfast.testkit.TestForm;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/// The tests of a suite, which let go of their maps when they have run: a suite keeps its thousands
/// of tests, and each map has its stripes or tables. In the short form they are every fifth test of
/// each class.
final class ForgettingSuite {
  private static final int STEP = TestForm.count(5, 1);

  static Test of(Test test) {
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
    for (int i = 0; i < suite.testCount(); i += suite.testAt(i) instanceof TestCase ? STEP : 1) {
      copy.addTest(of(suite.testAt(i)));
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
