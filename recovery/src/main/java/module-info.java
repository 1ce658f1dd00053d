/// What an operator needs of a region that is not in use.
module io.holdfast.recovery {
  requires transitive io.holdfast;
}
