import { describeEveryTool, READING } from "../every-tool/describe-every-tool.ts";

describeEveryTool("claude", READING);
describeEveryTool("glm", READING);
