package io.holdfast.collections;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// The contract against the JDK's own queue, to check the contract.
class JdkQueueContractTest extends BlockingQueueContract {
  @Override
  BlockingQueue<String> create(int capacity) {
    return new LinkedBlockingQueue<>(capacity);
  }
}
