import { describeInertPrompts } from "../describe-inert-prompts.ts";
import { EVERY_TIME, INERT_TABLE } from "../inert-table.ts";

describeInertPrompts(Object.keys(INERT_TABLE).filter((what) => !EVERY_TIME.includes(what)));
