import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Drawing } from "~/pipelines/Drawing";
import type { Point, ShapeRef, Spec } from "~/pipelines/spec";

const LINE: ShapeRef = { kind: "lines", index: 0 };
const PICTURE = { url: "/snapshot.jpg", width: 1600, height: 900 };

function drawn(points: [Point, Point], more: Partial<Parameters<typeof Drawing>[0]> = {}) {
  const spec: Spec = {
    name: "entrance",
    source: { kind: "rtsp" },
    lines: [{ name: "door", points, forward: "in", backward: "out" }],
  };
  const calls = { onChoose: vi.fn(), onChange: vi.fn(), onDrawn: vi.fn(), onCancel: vi.fn() };
  const drawing = <Drawing spec={spec} picture={PICTURE} chosen={null} tool={null} {...calls} {...more} />;
  const { container } = render(drawing, { wrapper: MantineProvider });
  return { spec, calls, container };
}

/** A drawing in which a tool is chosen, and its place in the window. */
function canvasWith(tool: ShapeRef["kind"], place = { left: 0, top: 0, width: 100, height: 100 }) {
  const { calls } = drawn(
    [
      [0, 0],
      [1, 1],
    ],
    { tool },
  );
  const canvas = screen.getByTestId("drawing");
  vi.spyOn(canvas, "getBoundingClientRect").mockReturnValue(place as DOMRect);
  return { calls, canvas };
}

/** Middle of the line, and tip of the arrow, both in units of the drawing: 1000 wide, 562.5 high. */
function arrow(container: HTMLElement): { tip: Point; words: Point[] } {
  const [tip] = (container.querySelector("polygon")?.getAttribute("points") ?? "").split(" ");
  const [x = 0, y = 0] = (tip ?? "").split(",").map(Number);
  const words = ["in", "out"].map((word): Point => {
    const text = screen.getByText(word);
    return [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
  });
  return { tip: [x, y], words };
}

describe("the direction of a line", () => {
  it.each<[string, [Point, Point], Point]>([
    [
      "upwards: to the right",
      [
        [0.5, 1],
        [0.5, 0],
      ],
      [1, 0],
    ],
    [
      "downwards: to the left",
      [
        [0.5, 0],
        [0.5, 1],
      ],
      [-1, 0],
    ],
    [
      "to the right: downwards",
      [
        [0, 0.5],
        [1, 0.5],
      ],
      [0, 1],
    ],
    [
      "to the left: upwards",
      [
        [1, 0.5],
        [0, 0.5],
      ],
      [0, -1],
    ],
  ])("drawn %s is forward", (_, points, [right, down]) => {
    const { tip, words } = arrow(drawn(points).container);
    const middle = [500, 281.25] as const;
    expect(tip).toEqual([middle[0] + 28 * right, middle[1] + 28 * down]);
    const [forward, backward] = words.map(([x, y]) => (x - middle[0]) * right + (y - 6 - middle[1]) * down);
    expect(forward).toBeGreaterThan(28);
    expect(backward).toBeLessThan(0);
  });

  it("has the names of the pipeline, or forward and backward", () => {
    drawn(
      [
        [0, 0],
        [1, 1],
      ],
      {
        spec: {
          name: "x",
          source: { kind: "file" },
          lines: [
            {
              name: "gate",
              points: [
                [0, 0],
                [1, 1],
              ],
            },
          ],
        },
      },
    );
    expect([screen.getByText("forward"), screen.getByText("backward"), screen.getByText("gate")]).toHaveLength(3);
  });
});

describe("points by keyboard", () => {
  it("move in small and large steps, and stay in the frame", () => {
    const { calls } = drawn(
      [
        [0.5, 0.99],
        [0.5, 0],
      ],
      { chosen: LINE },
    );
    const first = screen.getByRole("button", { name: /Point 1 of line door/ });
    fireEvent.keyDown(first, { key: "ArrowRight" });
    fireEvent.keyDown(first, { key: "ArrowDown", shiftKey: true });
    const moved = calls.onChange.mock.calls.map(([spec]) => (spec as Spec).lines?.[0]?.points[0]);
    expect(moved).toEqual([
      [0.505, 0.99],
      [0.5, 1],
    ]);
  });

  it("of a zone are deleted down to three; a line keeps its two", () => {
    const zones = [
      {
        name: "hall",
        polygon: [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ] as Point[],
      },
    ];
    const { calls } = drawn(
      [
        [0, 0],
        [1, 1],
      ],
      { spec: { name: "x", source: { kind: "file" }, zones }, chosen: { kind: "zones", index: 0 } },
    );
    fireEvent.keyDown(screen.getByRole("button", { name: /Point 2 of zone hall/ }), { key: "Delete" });
    expect((calls.onChange.mock.lastCall?.[0] as Spec | undefined)?.zones?.[0]?.polygon).toEqual([
      [0, 0],
      [1, 1],
      [0, 1],
    ]);
    const line = drawn(
      [
        [0, 0],
        [1, 1],
      ],
      { chosen: LINE },
    );
    fireEvent.keyDown(screen.getByRole("button", { name: /Point 2 of line door/ }), { key: "Delete" });
    expect(line.calls.onChange).not.toHaveBeenCalled();
  });

  it("end a drawing with Enter, or without it with Escape", () => {
    const { calls, canvas } = canvasWith("zones", { left: 100, top: 50, width: 800, height: 400 });
    for (const [clientX, clientY] of [
      [100, 50],
      [900, 50],
      [900, 450],
    ] as const)
      fireEvent.pointerDown(canvas, { button: 0, clientX, clientY });
    fireEvent.keyDown(canvas, { key: "Enter" });
    expect(calls.onDrawn).toHaveBeenCalledExactlyOnceWith("zones", [
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    fireEvent.keyDown(canvas, { key: "Escape" });
    expect(calls.onCancel).toHaveBeenCalledOnce();
  });

  it("two presses are a line; the secondary button draws nothing", () => {
    const { calls, canvas } = canvasWith("lines");
    fireEvent.pointerDown(canvas, { button: 2, clientX: 1, clientY: 1 });
    fireEvent.pointerDown(canvas, { button: 0, clientX: 50, clientY: 100 });
    fireEvent.pointerDown(canvas, { button: 0, clientX: 50, clientY: -20 });
    expect(calls.onDrawn).toHaveBeenCalledExactlyOnceWith("lines", [
      [0.5, 1],
      [0.5, 0],
    ]);
  });

  it("enlarge the picture, and points go where they are seen", () => {
    const { calls, canvas } = canvasWith("lines");
    fireEvent.keyDown(canvas, { key: "+" });
    fireEvent.pointerDown(canvas, { button: 0, clientX: 0, clientY: 0 });
    fireEvent.keyDown(canvas, { key: "0" });
    fireEvent.pointerDown(canvas, { button: 0, clientX: 50, clientY: 50 });
    expect(calls.onDrawn).toHaveBeenCalledExactlyOnceWith("lines", [
      [0.1429, 0.1429], // enlarged 1.4 times around the middle
      [0.5, 0.5],
    ]);
  });

  it("two fingers enlarge the picture and draw nothing", () => {
    const { calls, canvas } = canvasWith("lines");
    const finger = (pointerId: number, clientX: number) => ({
      pointerType: "touch",
      button: 0,
      pointerId,
      clientX,
      clientY: 50,
    });
    fireEvent.pointerDown(canvas, finger(1, 40));
    fireEvent.pointerDown(canvas, finger(2, 60));
    fireEvent.pointerMove(canvas, finger(2, 100));
    fireEvent.pointerUp(canvas, finger(1, 40));
    fireEvent.pointerUp(canvas, finger(2, 100));
    expect(canvas.dataset.zoomed).toBe("true");
    expect(calls.onDrawn).not.toHaveBeenCalled();
    expect(canvas.querySelectorAll("circle")).toHaveLength(0);
  });
});
