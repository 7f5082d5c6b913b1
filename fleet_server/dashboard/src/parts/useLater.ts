import { useDebouncedCallback } from "@mantine/hooks";
import { useLocation, useRouter } from "@tanstack/react-router";

/** Change the address after a pause in typing, unless the viewer has left for another page in the meantime. */
export function useLater<Next>(change: (next: Next) => void, wait_ms: number): (next: Next) => void {
  const router = useRouter();
  const here = useLocation().pathname;
  return useDebouncedCallback((next: Next) => {
    if (router.latestLocation.pathname === here) change(next);
  }, wait_ms);
}
