import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { forwardRef, type AnchorHTMLAttributes } from "react";

type Props = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

const AnchorButton = forwardRef<HTMLAnchorElement, Props>(function AnchorButton(props, ref) {
  return <Button component="a" ref={ref} {...props} />;
});

/** A link that looks like a button; like any link it can be opened in a new tab. */
export const ButtonLink = createLink(AnchorButton);
