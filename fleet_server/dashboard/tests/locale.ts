import { vi } from "vitest";

/** Loads a module in which `undefined`, the viewer's locale, is `locale`. */
export async function inLocale<Module>(locale: string, load: () => Promise<Module>): Promise<Module> {
  const { NumberFormat, DateTimeFormat } = Intl;
  vi.resetModules();
  vi.stubGlobal("Intl", {
    ...Intl,
    NumberFormat: class extends NumberFormat {
      constructor(named?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) {
        super(named ?? locale, options);
      }
    },
    DateTimeFormat: class extends DateTimeFormat {
      constructor(named?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
        super(named ?? locale, options);
      }
    },
  });
  try {
    return await load();
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
}
