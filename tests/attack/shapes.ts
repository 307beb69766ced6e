import type { Shape } from "./shape.ts";
import { JSON_SHAPES } from "./shapes-json.ts";
import { MARKDOWN_SHAPES } from "./shapes-markdown.ts";
import { STRUCTURE_SHAPES } from "./shapes-structure.ts";
import { TEXT_SHAPES } from "./shapes-text.ts";

/** All hostile answer texts, each with its own name. */
export const SHAPES: readonly Shape[] = [...MARKDOWN_SHAPES, ...JSON_SHAPES, ...TEXT_SHAPES, ...STRUCTURE_SHAPES];
