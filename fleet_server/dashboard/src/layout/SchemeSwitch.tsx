import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconSun from "@tabler/icons-react/dist/esm/icons/IconSun.mjs";

/** Light or dark; remembered by this browser, the system's until then. */
export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const now = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const other = now === "dark" ? "light" : "dark";
  return (
    <Tooltip label={`Use ${other} theme`}>
      <ActionIcon variant="default" size={34} onClick={() => setColorScheme(other)} aria-label={`Use ${other} theme`}>
        {now === "dark" ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
}
