import createClient from "openapi-fetch";
import type { paths } from "./schema";

/** What the server said when it refused, in one line. `status` 0: it did not answer. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  querySerializer: { array: { style: "form", explode: true } },
});

export const api = client;

/** The one line of an error body: `{"detail": text}`, or FastAPI's list of validation errors. */
export function lineOf(body: unknown, status: number): string {
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : body;
  if (typeof detail === "string" && detail) return detail;
  if (Array.isArray(detail)) {
    const lines = detail.map((item: { loc?: unknown[]; msg?: string }) => `${(item.loc ?? []).slice(1).join(".")}: ${item.msg ?? "not valid"}`);
    return lines.join("; ");
  }
  return `the server answered ${status}`;
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of an answer; an `ApiError` for everything else. */
export async function read<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  let answer: Answer<Data>;
  try {
    answer = await asked;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError("the server does not answer; is it running, and is the network up?", 0);
  }
  if (answer.data === undefined) throw new ApiError(lineOf(answer.error, answer.response.status), answer.response.status);
  return answer.data;
}

/** For answers without a body. */
export async function done(asked: Promise<Answer<unknown>>): Promise<void> {
  await read(asked.then(({ error, response }) => ({ data: response.ok ? true : undefined, error, response })));
}
