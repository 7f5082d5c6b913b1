import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { CacheWriter } from "./apply";
import { LiveConnection, type ConnectionState } from "./connection";

const Live = createContext<LiveConnection | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [link] = useState(() => new LiveConnection(new CacheWriter(client).apply, () => void client.invalidateQueries()));
  useEffect(() => link.watch(() => link.state.is === "down" && void client.invalidateQueries({ queryKey: ["session"] })), [link, client]);
  return <Live.Provider value={link}>{children}</Live.Provider>;
}

export function useConnection(): LiveConnection {
  const link = useContext(Live);
  if (!link) throw new Error("useConnection needs a LiveProvider around it");
  return link;
}

export function useConnectionState(): ConnectionState {
  const link = useConnection();
  return useSyncExternalStore(link.watch, () => link.state);
}

/** Keep these topics flowing while the component is on screen. */
export function useTopics(...topics: string[]): void {
  const link = useConnection();
  const wanted = topics.join(",");
  useEffect(() => link.want(wanted.split(",")), [link, wanted]);
}
