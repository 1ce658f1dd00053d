package io.holdfast.jmh.suite;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What every benchmark says of itself, in Markdown: the report shows it beside the numbers.
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Experiment {
  /// What is to be found out.
  String question();

  /// What the same work takes without that which is measured: nothing is faster.
  String floor();

  /// What is varied.
  String variables();
}
