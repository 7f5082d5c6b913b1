import { useDebouncedCallback } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";

/** Calls `change` after a pause in typing, unless the user has navigated to another page in the meantime. */
export function useDebounced<Next>(change: (next: Next) => void, wait_ms: number): (next: Next) => void {
  const router = useRouter();
  const later = useDebouncedCallback((next: Next, typedAt: string) => {
    if (router.latestLocation.pathname === typedAt) change(next);
  }, wait_ms);
  return (next) => later(next, router.latestLocation.pathname);
}
