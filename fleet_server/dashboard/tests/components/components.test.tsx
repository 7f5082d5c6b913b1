import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sessionQuery } from "~/api/people";
import { Ago } from "~/components/Ago";
import { type Confirmation, ConfirmDialog } from "~/components/ConfirmDialog";
import { OnlyFor, PartFor } from "~/components/OnlyFor";
import { SegmentBar } from "~/components/SegmentBar";
import { Choices } from "~/wizard/Choices";

function shown(children: ReactNode, role: "viewer" | "operator" | "admin" | null = "viewer") {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(sessionQuery.queryKey, { role } as never);
  return render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">{children}</MantineProvider>
    </QueryClientProvider>,
  );
}

const CHOICES = [
  { value: "all", title: "All", text: "" },
  { value: "group", title: "Group", text: "" },
  { value: "ids", title: "Devices", text: "" },
] as const;

function Chooser() {
  const [value, setValue] = useState<"all" | "group" | "ids" | null>(null);
  return <Choices label="Who" choices={CHOICES} value={value} onChange={setValue} />;
}

describe("radio buttons as cards", () => {
  it("are one stop of the tab key, and arrows go around", () => {
    shown(<Chooser />);
    const radio = (name: string) => screen.getByRole("radio", { name });
    const stops = () =>
      screen
        .getAllByRole("radio")
        .filter((each) => each.tabIndex === 0)
        .map((each) => each.textContent);
    expect(stops()).toEqual(["All"]);
    fireEvent.keyDown(radio("All"), { key: "ArrowLeft" });
    expect([radio("Devices").getAttribute("aria-checked"), stops()]).toEqual(["true", ["Devices"]]);
    expect(document.activeElement).toBe(radio("Devices"));
    fireEvent.keyDown(radio("Devices"), { key: "ArrowDown" });
    expect(radio("All").getAttribute("aria-checked")).toBe("true");
    fireEvent.keyDown(radio("All"), { key: "x" });
    expect(radio("All").getAttribute("aria-checked")).toBe("true");
  });
});

describe("a question", () => {
  const question = (more: Partial<Confirmation>): Confirmation => ({
    title: "Decommission",
    lines: ["It is deleted."],
    yes: "Delete",
    act: () => Promise.resolve(),
    ...more,
  });

  it("waits for the device's name where nothing can be undone, and passes the reason on", async () => {
    const doIt = vi.fn(() => Promise.resolve("done"));
    const onClose = vi.fn();
    shown(<ConfirmDialog question={question({ typed: "line-7", why: { label: "Reason" }, act: doIt })} onClose={onClose} />);
    const yes = screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });
    expect(yes.disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Type the device ID to confirm"), { target: { value: "line-" } });
    expect(yes.disabled).toBe(true);
    fireEvent.change(screen.getByLabelText("Type the device ID to confirm"), { target: { value: " line-7 " } });
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: " broken " } });
    expect(yes.disabled).toBe(false);
    fireEvent.click(yes);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(doIt).toHaveBeenCalledExactlyOnceWith("broken");
  });

  it("stays open with the server's text when it fails", async () => {
    const onClose = vi.fn();
    shown(
      <ConfirmDialog question={question({ act: () => Promise.reject(new Error("the device is busy")) })} onClose={onClose} />,
    );
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect((await screen.findByRole("alert")).textContent).toBe("the device is busy");
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe("what a role may see", () => {
  const page = (
    <OnlyFor role="operator" what="start rollouts" title="New rollout">
      <PartFor role="admin" what="view users">
        secrets
      </PartFor>
    </OnlyFor>
  );

  it.each([
    ["viewer", "Only operators can start rollouts"],
    ["operator", "Only administrators can view users."],
    ["admin", "secrets"],
    [null, "Only operators can start rollouts"],
  ] as const)("of %s", (role, text) => {
    shown(page, role);
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText("secrets") === null).toBe(role !== "admin");
  });
});

describe("parts of a whole", () => {
  it("are said in words, without those that are 0", () => {
    shown(
      <SegmentBar
        label="Fleet"
        keys
        segments={[
          { key: "a", text: "online", value: 1_200, fill: "" },
          { key: "b", text: "offline", value: 0, fill: "" },
        ]}
      />,
    );
    expect(screen.getByRole("img", { name: "Fleet: 1200 online" })).toBeTruthy();
    expect(screen.queryByText("offline")).toBeNull();
  });

  it("are none", () => {
    shown(<SegmentBar label="Wave" segments={[]} />);
    expect(screen.getByRole("img", { name: "Wave: none" })).toBeTruthy();
  });
});

describe("an age", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("grows by itself", () => {
    vi.useFakeTimers();
    vi.setSystemTime(1_000_000);
    shown(<Ago at={940} />);
    act(() => vi.advanceTimersByTime(1_000));
    expect(screen.getByText("1 min ago").getAttribute("datetime")).toBe("1970-01-01T00:15:40.000Z");
    act(() => vi.advanceTimersByTime(120_000));
    expect(screen.getByText("3 min ago")).toBeTruthy();
  });
});
