import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconCertificate from "@tabler/icons-react/dist/esm/icons/IconCertificate.mjs";
import IconChecklist from "@tabler/icons-react/dist/esm/icons/IconChecklist.mjs";
import IconCube from "@tabler/icons-react/dist/esm/icons/IconCube.mjs";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconFlask from "@tabler/icons-react/dist/esm/icons/IconFlask.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconPackages from "@tabler/icons-react/dist/esm/icons/IconPackages.mjs";
import IconPlugConnected from "@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import IconServer2 from "@tabler/icons-react/dist/esm/icons/IconServer2.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import IconVideo from "@tabler/icons-react/dist/esm/icons/IconVideo.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";

/** Pages for every role, in menu order; Shift + `key` opens one. */
export const PAGES = [
  { to: "/", text: "Fleet", icon: IconServer2, key: "f" },
  { to: "/rollouts", text: "Rollouts", icon: IconRocket, key: "r" },
  { to: "/experiments", text: "Experiments", icon: IconFlask, key: "x" },
  { to: "/models", text: "Models", icon: IconCube, key: "m" },
  { to: "/components", text: "Components", icon: IconPackages, key: "d" },
  { to: "/pipelines", text: "Pipelines", icon: IconRoute, key: "i" },
  { to: "/events", text: "Events", icon: IconEye, key: "e" },
  { to: "/wall", text: "Camera wall", icon: IconVideo, key: "w" },
  { to: "/alerts", text: "Alerts", icon: IconBell, key: "l" },
  { to: "/proposals", text: "Proposals", icon: IconChecklist, key: "o" },
  { to: "/groups", text: "Groups", icon: IconUsersGroup, key: "g" },
] as const;

/** Pages that need a role for all devices. */
export const FLEET_PAGES: readonly string[] = ["/experiments"];

/** Pages for administrators. */
export const ADMIN_PAGES = [
  { to: "/enrolment", text: "Enrollment", icon: IconPlugConnected, key: "n" },
  { to: "/people", text: "Users", icon: IconUsers, key: "p" },
  { to: "/certificates", text: "Certificates", icon: IconCertificate, key: "c" },
  { to: "/audit", text: "Audit log", icon: IconHistory, key: "a" },
  { to: "/settings", text: "Settings", icon: IconSettings, key: "s" },
] as const;
