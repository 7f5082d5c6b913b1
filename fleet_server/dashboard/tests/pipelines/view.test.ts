import { describe, expect, it } from "vitest";
import { noSteps, noted, redone, STEPS_MAX, undone, type Steps } from "~/pipelines/steps";
import { inFrame, inWindow, panned, WHOLE, ZOOM_MAX, zoomed } from "~/pipelines/view";

describe("the view of a drawing", () => {
  it("is enlarged around a point, which stays where it is", () => {
    const view = zoomed(WHOLE, 4, [0.75, 0.5]);
    expect(view.zoom).toBe(4);
    expect(inFrame(view, [0.75, 0.5])).toEqual([0.75, 0.5]);
    expect(inWindow(view, inFrame(view, [0.1, 0.9]))[0]).toBeCloseTo(0.1);
  });

  it("stays within the frame and its limits", () => {
    expect(zoomed(WHOLE, 100, [0, 0])).toEqual({ zoom: ZOOM_MAX, x: 0, y: 0 });
    expect(zoomed({ zoom: 2, x: 0.5, y: 0.2 }, 0.1, [0, 0])).toEqual(WHOLE);
    expect(panned({ zoom: 2, x: 0.25, y: 0.25 }, 5, -5)).toEqual({ zoom: 2, x: 0.5, y: 0 });
    expect(panned(WHOLE, 1, 1)).toEqual(WHOLE);
  });
});

describe("undo", () => {
  it("goes back and forth step by step; a change ends the way forth", () => {
    const steps = noted(noted(noSteps<string>(), "a"), "b");
    const back = undone(steps, "c");
    expect(back?.value).toBe("b");
    const first = undone(back?.steps ?? steps, "b");
    expect(first?.value).toBe("a");
    expect(undone(first?.steps ?? steps, "a")).toBeNull();
    expect(redone(first?.steps ?? steps, "a")?.value).toBe("b");
    expect(noted(first?.steps ?? steps, "a").future).toEqual([]);
  });

  it("takes the changes of one drag together, and keeps a limited number of steps", () => {
    const dragged = noted(noted(noted(noSteps<string>(), "a", "drag 1"), "b", "drag 1"), "c", "drag 2");
    expect(dragged.past).toEqual(["a", "c"]);
    let many: Steps<number> = noSteps();
    for (let each = 0; each < STEPS_MAX + 20; each += 1) many = noted(many, each);
    expect([many.past.length, many.past[0]]).toEqual([STEPS_MAX, 20]);
  });
});
