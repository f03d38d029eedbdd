package io.loopgate.volume;

import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;

/**
 * How a volume's bytes are served.
 *
 * @param engine the engine with its layers on top
 * @param spec the engine's effective name
 * @param reason why it is this one
 * @param fastPath what can be answered without waiting
 * @param pinsFile whether the backing has to keep its size while this engine runs
 */
public record RunningEngine(
    LoopEngine engine, EngineSpec spec, String reason, FastPath fastPath, boolean pinsFile) {}
