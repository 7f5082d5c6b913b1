import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { CacheWriter } from "./apply";
import { LiveConnection, type ConnectionState } from "./connection";

const Live = createContext<LiveConnection | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection] = useState(() => new LiveConnection(new CacheWriter(client).apply, () => void client.invalidateQueries()));
  useEffect(
    () => connection.watch(() => connection.state.is === "down" && void client.invalidateQueries({ queryKey: ["session"] })),
    [connection, client],
  );
  return <Live.Provider value={connection}>{children}</Live.Provider>;
}

export function useConnection(): LiveConnection {
  const connection = useContext(Live);
  if (!connection) throw new Error("useConnection needs a LiveProvider above it");
  return connection;
}

export function useConnectionState(): ConnectionState {
  const connection = useConnection();
  return useSyncExternalStore(connection.watch, () => connection.state);
}

/** Subscribes to topics while the component is mounted. */
export function useTopics(...topics: string[]): void {
  const connection = useConnection();
  const joined = topics.join(",");
  useEffect(() => connection.subscribe(joined.split(",")), [connection, joined]);
}
