"""Tenants' logos: pictures from outside that strangers' browsers show."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, before, met, skipped, unmet

SVG = "SVGCheckTests"
PNG = "PNGCheckTests"

GUARDS: list[Guard] = [
    guard("picture: bounded in bytes", PNG + "/size", met),
    guard("picture: bounded in pixels", PNG + "/sides", met),
    guard("picture: a PNG does not move", PNG + "/bad", skipped),
    guard("picture: nothing behind a PNG", PNG + "/behind", met),
    guard("picture: no document type", SVG + "/(bad|around)", before('at = (find(">") ?? at) + 1; continue')),
    guard("picture: elements that are listed", SVG + "/bad", met),
    guard("picture: no event handlers", SVG + "/bad", met),
    guard("picture: the base of references", SVG + "/bad", met),
    guard("picture: references within the file", SVG + "/bad", before("return")),
    guard("picture: no word that fetches", SVG + "/bad", unmet),
    guard("picture: no at-rule that fetches", SVG + "/bad", met),
    guard("picture: addresses within the file", SVG + "/bad", before("return nil")),
    guard("picture: a style sheet uses no parts", SVG + "/bad", skipped),
    guard("picture: a blur stays near the drawing", SVG + "/monster", unmet),
    guard("picture: no dashes as an attribute", SVG + "/monster", met),
    guard("picture: no dashes in a style", SVG + "/monster", unmet),
    guard("picture: no filter without an element", SVG + "/monster", unmet),
    guard("picture: a drawing is bounded however often its parts are used", SVG + "/(bomb|chain|circle)", skipped),
    guard("logo: the tenant's present ones alone", "LogoTests/gone", becomes("present.first")),
    guard("logo: of a provider of the policy alone", "LogoTests/provider", skipped),
    guard("logo: a drawing that is opened runs nothing", "LogoTests/served", becomes('"default-src *"')),
]
