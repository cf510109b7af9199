/**
 * The plugin that Hermes loads into its process, in Python. It asks the adapter about each call of a tool before Hermes
 * executes it, and reports results, usage and failed model calls: the protocol of Hermes has none of them. Its messages
 * are extensions of this protocol, so they keep the order. It takes the key of the model out of the environment before a
 * tool can start a process. It sends to the model the system prompt and the tools of the run, and no others.
 */
export const RELAY_SOURCE = `import ast
import asyncio
import json
import os

with open(os.environ["REINS_RELAY_FILE"], encoding="utf-8") as file:
    SETTINGS = json.load(file)
SECRETS = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("REINS_SECRET_")}
HEADERS = {name: SECRETS[variable] for name, variable in SETTINGS["headers"].items()}


class Relay:
    """The connection to the adapter, and the question of a tool to the user."""

    connection = None
    loop = None
    agent = None
    question = None

    def report(self, kind, **params):
        self.wait(self.connection.ext_notification("reins/" + kind, params))

    def ask(self, kind, **params):
        return self.wait(self.connection.ext_method("reins/" + kind, params))

    def wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()


relay = Relay()


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value, default=str)


def body_of(message):
    """The body of a response, which the client of the model shows as a literal of Python."""
    try:
        return json.dumps(ast.literal_eval(message.partition(" - ")[2]))
    except (SyntaxError, ValueError, TypeError):
        return message


def on_request(request, **_):
    sent = dict(request)
    messages = [message for message in sent.get("messages", []) if message.get("role") != "system"]
    prompt = SETTINGS["systemPrompt"]
    sent["messages"] = ([{"role": "system", "content": prompt}] if prompt else []) + messages
    tools = [tool for tool in sent.get("tools") or [] if tool["function"]["name"] in SETTINGS["tools"]]
    sent.pop("tools", None)
    if tools:
        sent["tools"] = tools
    for name in ("max_tokens", "max_completion_tokens", "extra_body", "tool_choice"):
        sent.pop(name, None)
    sent.update(SETTINGS["fields"])
    sent["extra_headers"] = {**(sent.get("extra_headers") or {}), **HEADERS}
    return {"request": sent, "source": "reins"}


def on_model_call(request, next_call, **_):
    if relay.question is None:
        return next_call(request)
    # The answer of the user comes in another process.
    relay.agent.interrupt()
    return None


def before_call(tool_name, args, tool_call_id="", **_):
    answer = relay.ask("call", id=tool_call_id, tool=tool_name, args=args or {})
    refusal = answer.get("refusal")
    return {"action": "block", "message": refusal} if refusal else None


def after_call(tool_name, result, tool_call_id="", status=None, error_message=None, **_):
    relay.report("result", id=tool_call_id, tool=tool_name, result=text_of(result), status=status, error=error_message)


def after_model_call(assistant_message, finish_reason, usage=None, **_):
    calls = getattr(assistant_message, "tool_calls", None) or []
    relay.report(
        "answer", text=assistant_message.content or "", calls=len(calls), reason=finish_reason, usage=usage or {}
    )


def after_failure(status_code=None, error=None, **more):
    message = (error or {}).get("message") if isinstance(error, dict) else more.get("error_message")
    relay.report("failure", status=status_code, message=body_of(text_of(message)))


def register(context):
    from acp_adapter.server import HermesACPAgent
    from mcp import ClientSession

    prompt = HermesACPAgent.prompt
    call_tool = ClientSession.call_tool

    async def connected_prompt(self, prompt_blocks=None, session_id="", **more):
        blocks = more.pop("prompt", prompt_blocks)
        relay.connection = self._conn
        relay.loop = asyncio.get_running_loop()
        state = self.session_manager.get_session(session_id)
        relay.agent = state and state.agent
        await self._conn.ext_notification("reins/ready", {})
        return await prompt(self, blocks, session_id, **more)

    async def observed_call_tool(self, *args, **more):
        result = await call_tool(self, *args, **more)
        question = (result.meta or {}).get(SETTINGS["questionField"])
        if isinstance(question, str) and relay.question is None:
            relay.question = question
            asyncio.run_coroutine_threadsafe(
                relay.connection.ext_notification("reins/question", {"question": question}), relay.loop
            )
        return result

    HermesACPAgent.prompt = connected_prompt
    ClientSession.call_tool = observed_call_tool
    context.register_middleware("llm_request", on_request)
    context.register_middleware("llm_execution", on_model_call)
    context.register_hook("pre_tool_call", before_call)
    context.register_hook("post_tool_call", after_call)
    context.register_hook("post_api_request", after_model_call)
    context.register_hook("api_request_error", after_failure)
`;
