import uPlot from "uplot";
import { isUtc } from "~/format/zone";

/** The date by which an axis of time places its ticks: whole hours and days in the zone of the page. */
export const axisDate = (at: number): Date => {
  const date = new Date(at * 1000);
  return isUtc ? uPlot.tzDate(date, "UTC") : date;
};
