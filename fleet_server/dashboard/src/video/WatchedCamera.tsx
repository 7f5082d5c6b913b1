import { Button, Center } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { CameraView } from "./CameraView";

/** A camera that plays while it is on the screen. Where it has ended, a button starts it again. */
export function WatchedCamera({ device, pipeline, overlays }: { device: string; pipeline: string; overlays?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place);
  const [round, setRound] = useState(0);
  const [over, setOver] = useState(false);
  return (
    <div ref={place}>
      <CameraView
        key={`${round} ${overlays}`}
        device={device}
        pipeline={pipeline}
        on={seen}
        overlays={overlays}
        onEnd={() => setOver(true)}
      />
      {over && (
        <Center mt={6}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setOver(false);
              setRound(round + 1);
            }}
          >
            Start again
          </Button>
        </Center>
      )}
    </div>
  );
}

/** Whether an element is on the screen, in a tab that is shown. */
function useSeen(place: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  const [shown, setShown] = useState(!document.hidden);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watch = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false));
    watch.observe(element);
    const change = () => setShown(!document.hidden);
    document.addEventListener("visibilitychange", change);
    return () => {
      watch.disconnect();
      document.removeEventListener("visibilitychange", change);
    };
  }, [place]);
  return near && shown;
}
