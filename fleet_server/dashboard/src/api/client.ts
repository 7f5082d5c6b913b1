import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

/** An error of one field of a request's body. `pointer`: a JSON pointer to it: "/rule/above". */
export interface FieldProblem {
  pointer: string;
  text: string;
}

/** Error message of the server, in one line. `status` is 0 if it did not respond. `fields`: the errors of single fields. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly fields: readonly FieldProblem[] = [],
  ) {
    super(message);
    this.name = "ApiError";
  }
}

type Proposal = components["schemas"]["Proposal"];
type Answer<Body> = { content: { "application/json": Body } };
/** Without the proposals that only API tokens get as answer 202: the dashboard has a session. */
type OwnAnswers<Answers> = {
  [Status in keyof Answers as Status extends 202
    ? Answers[Status] extends Answer<infer Body>
      ? Body extends Proposal
        ? never
        : Status
      : Status
    : Status]: Status extends 202
    ? Answers[Status] extends Answer<infer Body>
      ? Omit<Answers[Status], "content"> & Answer<Exclude<Body, Proposal>>
      : Answers[Status]
    : Answers[Status];
};
type WithoutProposals<Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: Paths[Path][Method] extends { responses: infer Answers }
      ? Omit<Paths[Path][Method], "responses"> & { responses: OwnAnswers<Answers> }
      : Paths[Path][Method];
  };
};

const client = createClient<WithoutProposals<paths>>({
  baseUrl: globalThis.location?.origin ?? "",
  querySerializer: { array: { style: "form", explode: true } },
});

export const api = client;

/** The message of an error body: a problem (RFC 9457), or the list of validation errors of a server of version 0.2. */
export function lineOf(body: unknown, status: number): string {
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : body;
  if (typeof detail === "string" && detail) return detail;
  if (Array.isArray(detail)) {
    const lines = detail.map(
      (item: { loc?: unknown[]; msg?: string }) => `${(item.loc ?? []).slice(1).join(".")}: ${item.msg ?? "not valid"}`,
    );
    return lines.join("; ");
  }
  return `the server responded with ${status}`;
}

/** The errors of fields in a problem; their pointers are fragments of a URI there. */
export function fieldsOf(body: unknown): FieldProblem[] {
  const errors = typeof body === "object" && body !== null && "errors" in body ? body.errors : [];
  if (!Array.isArray(errors)) return [];
  return errors.flatMap(({ pointer, detail }: { pointer?: unknown; detail?: unknown }) =>
    typeof pointer === "string" && typeof detail === "string"
      ? [{ pointer: decodeURIComponent(pointer.slice(1)), text: detail }]
      : [],
  );
}

interface ApiResponse<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of a response; throws `ApiError` for any other outcome. */
export async function read<Data>(request: Promise<ApiResponse<Data>>): Promise<Data> {
  let result: ApiResponse<Data>;
  try {
    result = await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError("the server does not respond; is it running, and is the network up?", 0);
  }
  if (result.data === undefined) {
    const { error, response } = result;
    throw new ApiError(lineOf(error, response.status), response.status, fieldsOf(error));
  }
  return result.data;
}

/** All items of a list that comes page by page. */
export async function whole<Page extends { items: unknown[]; next_after?: string | null }>(
  ask: (after: string | undefined) => Promise<Page>,
): Promise<Page> {
  let page = await ask(undefined);
  const items = [...page.items];
  while (page.next_after) {
    page = await ask(page.next_after);
    items.push(...page.items);
  }
  return { ...page, items };
}

/** For responses without a body. */
export async function done(request: Promise<ApiResponse<unknown>>): Promise<void> {
  await read(request.then(({ error, response }) => ({ data: response.ok ? true : undefined, error, response })));
}
