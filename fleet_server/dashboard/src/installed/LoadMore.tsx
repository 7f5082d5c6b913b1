import { Button, Center } from "@mantine/core";

/** Loads the next part of a list. */
export function LoadMore({ isLoading, onMore }: { isLoading: boolean; onMore: () => void }) {
  return (
    <Center p="md">
      <Button variant="default" loading={isLoading} onClick={onMore}>
        Load more
      </Button>
    </Center>
  );
}
