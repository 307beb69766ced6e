import type { Provider } from "../spec/provider.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { rehearsal } from "./rehearsal.ts";

/** Every provider that ships with the package, in the order in which they are preferred. */
export const builtinProviders: readonly Provider[] = [claude, codex, rehearsal];
