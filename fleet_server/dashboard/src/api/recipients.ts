import { queryOptions } from "@tanstack/react-query";
import { api, done, read, whole } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Recipient = Schemas["AlertRecipient"];
export type RecipientRequest = Schemas["AlertRecipientRequest"];
export type RecipientKind = Recipient["kind"];

export const recipientsQuery = queryOptions({
  queryKey: ["alert-recipients"],
  queryFn: ({ signal }) => whole((after) => read(api.GET("/api/v1/alert-recipients", { params: { query: { after } }, signal }))),
});

export const addRecipient = (body: RecipientRequest) => read(api.POST("/api/v1/alert-recipients", { body }));
export const changeRecipient = (recipient: number, body: RecipientRequest) =>
  read(api.PUT("/api/v1/alert-recipients/{recipient}", { params: { path: { recipient } }, body }));
export const removeRecipient = (recipient: number) =>
  done(api.DELETE("/api/v1/alert-recipients/{recipient}", { params: { path: { recipient } } }));
export const testRecipient = (recipient: number) =>
  read(api.POST("/api/v1/alert-recipients/{recipient}/test", { params: { path: { recipient } } }));
export const pushKey = () => read(api.GET("/api/v1/alert-recipients/push-key"));
