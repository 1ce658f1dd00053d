package io.holdfast.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What stands after a command: options, with a value or without, and the rest.
///
/// Written by hand because the agent's jar lies on the class path of the programs that it weaves: a
/// library for command lines in it would be in theirs.
///
/// @param values of options that take one, by name
/// @param flags options that take none
/// @param operands the rest, in its order
record CommandArguments(Map<String, String> values, Set<String> flags, List<String> operands) {

  /// @param withValue options that take a value: the next argument, or what follows `=`
  /// @param without options that take none
  /// @throws CommandException for an option that is unknown, given twice, or lacks its value
  static CommandArguments parse(
      List<String> arguments, Set<String> withValue, Set<String> without) {
    Map<String, String> values = new HashMap<>();
    Set<String> flags = new HashSet<>();
    List<String> operands = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!argument.startsWith("-") || argument.equals("-")) {
        operands.add(argument);
      } else if (without.contains(argument)) {
        flags.add(argument);
      } else if (!withValue.contains(name)) {
        throw CommandException.usage("unknown option: %s", argument);
      } else {
        if (equals < 0 && ++i == arguments.size()) {
          throw CommandException.usage("an option without its value: %s", argument);
        }
        String value = equals < 0 ? arguments.get(i) : argument.substring(equals + 1);
        if (values.put(name, value) != null) {
          throw CommandException.usage("an option given twice: %s", name);
        }
      }
    }
    return new CommandArguments(values, flags, operands);
  }

  /// @return `null` if the option was not given
  String value(String option) {
    return values.get(option);
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }
}
