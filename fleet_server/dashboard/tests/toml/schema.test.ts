import { describe, expect, it } from "vitest";
import schema from "~/pipelines/pipeline.schema.json";
import { describedAt, suggestionsAt, type Schema } from "~/toml/schema";

const PIPELINE = schema as unknown as Schema;

/** Suggestions at `|` of a text. */
function at(marked: string) {
  const position = marked.indexOf("|");
  const found = suggestionsAt(PIPELINE, marked.replace("|", ""), position);
  return { labels: found?.items.map(({ label }) => label) ?? [], items: found?.items ?? [], from: found?.from ?? -1 };
}

describe("suggestions of keys", () => {
  it("are those of the table that are not there yet, needed ones first, and then tables", () => {
    const { labels, items, from } = at('[[stages]]\nname = "find"\nm|\n\n[[zones]]\n');
    expect(from).toBe(25);
    expect(labels[0]).toBe("kind");
    expect(labels).toContain("min_score");
    expect(labels).not.toContain("name");
    expect(labels).not.toContain("polygon");
    expect(labels).toContain("[stages.when]");
    expect(items.find(({ label }) => label === "min_score")).toMatchObject({
      text: "min_score = ",
      detail: "number",
      info: "Least score of a result.",
    });
  });

  it("of options are those of the stage's kind", () => {
    const crops = '[[stages]]\nname = "a"\nkind = "crops"\n[stages.options]\n|\n';
    expect(at(crops).labels).toContain("min_side");
    expect(at(crops.replace("crops", "track")).labels).not.toContain("min_side");
    expect(at('[[stages]]\nkind = "crops"\noptions = { margin = 1.0, m|').labels).toEqual([
      "every_s",
      "max",
      "min_side",
      "runs_max",
    ]);
  });

  it("are nothing in comments, and nothing in lists over several lines", () => {
    expect(at("[source]\n# ki|").labels).toEqual([]);
    expect(at('[[rules]]\nlabels = [\n  "per|').labels).toEqual([]);
  });
});

describe("suggestions of tables", () => {
  it("have the brackets of lists, also one level below and for single devices", () => {
    const { labels, from } = at('name = "x"\n\n[[st|');
    expect(from).toBe(12);
    expect(labels).toEqual(expect.arrayContaining(["[source]", "[[stages]]", "[stages.keep]", "[stages.options]", "[[for]]"]));
    expect(at("[[for]]\ndevices = []\n[[for.zones]]\n|").labels.slice(0, 2)).toEqual(["name", "polygon"]);
  });
});

describe("suggestions of values", () => {
  it("are the choices of the schema, in quotes, from the quote on", () => {
    const { labels, items, from } = at('[[rules]]\nkind = "l|');
    expect(labels).toEqual(expect.arrayContaining(["line", "loiter", "level"]));
    expect(from).toBe(17);
    expect(items.find(({ label }) => label === "line")?.text).toBe('"line"');
    expect(at("[source]\nkind = |").labels).toContain("rtsp");
  });

  it("are names of the document where a key refers to them", () => {
    const text = '[[zones]]\nname = "yard"\n[[lines]]\nname = "gate"\n[[rules]]\n';
    expect(at(`${text}zone = |`).items).toMatchObject([{ label: "yard", text: '"yard"', detail: "zone" }]);
    expect(at(`${text}line = "|`).labels).toEqual(["gate"]);
    expect(at('[[stages]]\nname = "find"\n[[stages]]\nof = ["find", "|').labels).toEqual(["find"]);
  });

  it("are true and false, and the default", () => {
    expect(at("[source]\nloop = |").items.map(({ text, detail }) => [text, detail])).toEqual([
      ["true", ""],
      ["false", "default"],
    ]);
    expect(at("[[stages]]\nmin_score = |").items).toMatchObject([{ text: "0.5", detail: "default" }]);
  });
});

describe("the description", () => {
  it("is that of a key or of a table, and of no value", () => {
    const text = "[source]\nfps = 12\n";
    expect(describedAt(PIPELINE, text, 10)).toMatch(/^Upper limit of analyzed frames/);
    expect(describedAt(PIPELINE, text, 16)).toBe("");
    expect(describedAt(PIPELINE, text, 3)).not.toBe("");
  });
});
