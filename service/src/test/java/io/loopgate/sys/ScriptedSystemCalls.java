package io.loopgate.sys;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;

/**
 * The real calls, but for those that a script answers: file systems and rights that a test machine
 * does not have.
 */
public final class ScriptedSystemCalls {
  private ScriptedSystemCalls() {}

  /** Answers a call, or leaves it to the kernel. */
  @FunctionalInterface
  public interface Script {
    /** Returns what the call is to return, or nothing for the real answer. */
    OptionalLong answer(String call, Object[] arguments);
  }

  /** Returns calls that ask the script first. */
  public static SystemCalls with(Script script) {
    SystemCalls real = SystemCalls.instance();
    return (SystemCalls)
        Proxy.newProxyInstance(
            SystemCalls.class.getClassLoader(),
            new Class<?>[] {SystemCalls.class},
            (proxy, method, arguments) -> {
              OptionalLong answer = script.answer(method.getName(), arguments);
              if (answer.isPresent()) {
                return answer.getAsLong();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }
}
