import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { MARKS } from "~/format/numbers";

const brand: MantineColorsTuple = [
  "#eef3ff",
  "#dce6ff",
  "#b9cbff",
  "#92adff",
  "#7093fb",
  "#4f78f3",
  "#2f5fe8",
  "#244fd0",
  "#1f43ad",
  "#1b3788",
];

/** Text at 0, page at 8: cool, quiet greys in which only states have colour. */
const dark: MantineColorsTuple = [
  "#e3e8ef",
  "#c3ccd8",
  "#9aa6b6",
  "#6c7888",
  "#2c3541",
  "#212933",
  "#181f28",
  "#12181f",
  "#0c1116",
  "#080b0f",
];

const gray: MantineColorsTuple = [
  "#f6f8fa",
  "#eef1f5",
  "#e2e7ed",
  "#d3dae3",
  "#b3bdc9",
  "#8893a2",
  "#667283",
  "#4d5868",
  "#333d4b",
  "#18202b",
];

export const theme = createTheme({
  primaryColor: "brand",
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, dark, gray },
  black: "#18202b",
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  defaultRadius: "md",
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "16px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        closeButtonProps: { "aria-label": "Close" },
        overlayProps: { backgroundOpacity: 0.5, blur: 2 },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Close" }, overlayProps: { backgroundOpacity: 0.4 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, fz: "xs", events: { hover: true, focus: true, touch: true } } },
    Button: { defaultProps: { size: "sm", fw: 550 } },
    NumberInput: { defaultProps: MARKS },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm", comboboxProps: { shadow: "md" } } },
    Menu: { defaultProps: { shadow: "md", position: "bottom-end" } },
    Anchor: { defaultProps: { underline: "hover" } },
  },
});
